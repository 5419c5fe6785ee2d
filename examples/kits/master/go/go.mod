module masters/mymaster

go 1.19
