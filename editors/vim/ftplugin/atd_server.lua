-- Neovim: the language server `atomc lsp`, where there is one: diagnostics, completion (Ctrl-X Ctrl-O), :lua vim.lsp.buf.hover(),
-- .definition(), .code_action(). g:atomc_lsp is another command, or an empty list for none.
local command = vim.g.atomc_lsp or { 'atomc', 'lsp' }
if #command == 0 or vim.fn.executable(command[1]) == 0 then
  return
end
local client = nil
for _, one in pairs(vim.lsp.get_active_clients()) do
  if one.name == 'atomc' then
    client = one.id
  end
end
client = client or vim.lsp.start_client({ name = 'atomc', cmd = command, root_dir = vim.fn.getcwd() })
if client then
  vim.lsp.buf_attach_client(0, client)
  vim.bo.omnifunc = 'v:lua.vim.lsp.omnifunc'
end
