-- session.lua: what a person does in Neovim with a page of .atd, and what comes of it, a line each, on standard output.
-- nvim --headless -u NONE --cmd 'set rtp+=editors/vim' -c 'luafile session.lua' ; the page is page.atd, its C page.c.
local function say(...)
  io.stdout:write(table.concat({ ... }, ' ') .. '\n')
end
local function wait_for(what, condition)
  local from = vim.loop.hrtime()
  local good = vim.wait(20000, condition, 5)
  say(what, good and 'came' or 'did not come')
  return (vim.loop.hrtime() - from) / 1e6
end
vim.cmd('filetype plugin on')
vim.cmd('edit page.atd')
wait_for('server', function() return #vim.lsp.get_active_clients() == 1 end)
wait_for('diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
local function show()
  local list = vim.diagnostic.get(0)
  table.sort(list, function(a, b) return a.lnum < b.lnum or (a.lnum == b.lnum and a.col < b.col) end)
  for _, one in ipairs(list) do
    say(string.format('page.atd:%d:%d: %s', one.lnum + 1, one.col + 1, one.message:gsub('\n.*', '')))
  end
end
show()
local function ask(method, line, column, more)
  local parameters = vim.tbl_extend('force', {
    textDocument = vim.lsp.util.make_text_document_params(0),
    position = { line = line - 1, character = column - 1 },
  }, more or {})
  local answers = vim.lsp.buf_request_sync(0, method, parameters, 5000)
  for _, answer in pairs(answers or {}) do
    return answer.result
  end
end
-- A quick fix at the first error.
local first = vim.diagnostic.get(0)[1]
local range = { start = { line = first.lnum, character = first.col }, ['end'] = { line = first.lnum, character = first.col } }
local fixes = ask('textDocument/codeAction', 1, 1, { range = range, context = { diagnostics = {} } })
say('fixes', #fixes, fixes[1].title)
local from = vim.loop.hrtime()
vim.lsp.util.apply_workspace_edit(fixes[1].edit, 'utf-16')
say('line', vim.api.nvim_buf_get_lines(0, first.lnum, first.lnum + 1, false)[1])
local milliseconds = wait_for('no diagnostics', function() return #vim.diagnostic.get(0) == 0 end)
-- Completion: the attributes of a loop's variable.
local function labels(line, column)
  local all = {}
  for _, item in ipairs(ask('textDocument/completion', line, column).items) do
    all[item.label] = item.detail or ''
  end
  return all
end
local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
local function position(text)
  for i, line in ipairs(lines) do
    local from, to = line:find(text, 1, true)
    if from then
      return i, to + 1
    end
  end
end
local line, column = position('b.')
local offered = labels(line, column)
say('after b.', offered.ninsts or '-', offered.first or '-', offered.argument or '-')
line, column = position('i.proc.')
offered = labels(line, column)
say('after i.proc.', offered.name or '-', offered.mnemonic or '-', offered.blocks or '-')
for _, before in ipairs({ 'where r.', 'i.ra.', 'where s.', 's.first.', 's.first.rc.', '(i.callee_proc).', 'for s in b.' }) do
  line, column = position(before)
  offered = labels(line, column)
  local found = {}
  for _, label in ipairs({ 'name', 'ninsts', 'mnemonic', 'insts', 'succs', 'reads' }) do
    table.insert(found, offered[label] and label .. ': ' .. offered[label])
  end
  say('after', before, table.concat(found, ', '))
end
line, column = position('before i ')
offered = labels(line, column)
say('names', offered.executed or '-', offered.b or '-', offered.i or '-', offered.counter and 'words' or '-', offered['$taken'] or '-')
line, column = position('$arg(0)->')
offered = labels(line, column)
say('after ->', next(offered) or '-')
line, column = position('display ')
offered = labels(line, column)
say('displays', offered.bars and 'bars' or '-', offered.counter or '-')
-- Hover and definition.
line, column = position('$taken')
say('hover', (ask('textDocument/hover', line, column - 1).contents.value:gsub('\n+', ' | ')))
line, column = position('ninsts')
say('hover', (ask('textDocument/hover', line, column - 1).contents.value:gsub('\n+', ' | ')))
line, column = position('executed[b]')
local target = ask('textDocument/definition', line, column - 5)
say('definition', target.uri:match('[^/]*$'), target.range.start.line + 1, target.range.start.character + 1)
line, column = position('call Took')
target = ask('textDocument/definition', line, column - 1)
say('definition', target.uri:match('[^/]*$'), target.range.start.line + 1, target.range.start.character + 1)
local symbols = {}
for _, symbol in ipairs(ask('textDocument/documentSymbol', 1, 1)) do
  table.insert(symbols, symbol.detail .. ' ' .. symbol.name)
end
say('symbols', table.concat(symbols, ', '))
-- An error beyond ASCII: columns are characters.
vim.api.nvim_buf_set_lines(0, -1, -1, false, { 'report "\u{e9}\u{1f600}" as nothing' })
wait_for('diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
show()
io.stderr:write(string.format('%.0f\n', milliseconds))
vim.cmd('qall!')
