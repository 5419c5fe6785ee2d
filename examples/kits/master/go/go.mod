module mymaster

go 1.19
