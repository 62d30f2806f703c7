" Tool descriptions of atomc.
autocmd BufRead,BufNewFile *.atd setfiletype atd
