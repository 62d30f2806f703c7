# rules.mk: the extension of VS Code: make vscode makes $(VSIX). Its libraries and vsce are fetched once for each lock file, as those of
# the workbench's pages are (workbench/web/rules.mk).
VSCODE_LOCK := $(shell sha256sum editors/vscode/package-lock.json | cut -c1-16)
VSCODE_MODULES = build/vscode/npm-$(VSCODE_LOCK)
VSIX = build/vscode/atd.vsix

$(VSCODE_MODULES)/ready:
	rm -rf $(@D) && mkdir -p $(@D)
	cp editors/vscode/package.json editors/vscode/package-lock.json $(@D)
	cd $(@D) && npm ci --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error
	touch $@

$(VSIX): $(VSCODE_MODULES)/ready LICENSE editors/README.md $(shell find editors/vscode -type f | LC_ALL=C sort)
	rm -rf build/vscode/extension && node editors/vscode/bundle.mjs $(VSCODE_MODULES) build/vscode/extension
	cd build/vscode/extension && NODE_NO_WARNINGS=1 node $(CURDIR)/$(VSCODE_MODULES)/node_modules/@vscode/vsce/vsce package --no-dependencies --allow-missing-repository --skip-license -o $(CURDIR)/$@.new >../vsce.log 2>&1 || { cat ../vsce.log; exit 1; }
	mv $@.new $@

.PHONY: vscode
vscode:
	scripts/setup.sh workbench
	$(MAKE) $(VSIX)
