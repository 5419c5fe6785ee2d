rockspec_format = "3.0"
package = "mybot"
version = "1.0-1"
source = { url = "." }
description = { summary = "A bot for the universal game server" }
dependencies = { "lua >= 5.3", "luasocket >= 3.0" }
build = { type = "builtin", modules = { protocol = "protocol.lua" }, install = { bin = { "bot.lua" } } }
