module bindings_bench

go 1.21

require github.com/libcede/libcede/bindings/go v0.2.0

replace github.com/libcede/libcede/bindings/go => ../../../../bindings/go
