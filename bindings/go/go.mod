module github.com/libcede/libcede/bindings/go

go 1.21
