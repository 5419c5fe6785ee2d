module bots/mybot

go 1.19
