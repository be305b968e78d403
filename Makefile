# dyno: `make help` says what there is.

NAME  ?=
QUICK ?=
ARGS  ?=

# Tools are run at these versions and stand in no go.mod.
GOFUMPT     := mvdan.cc/gofumpt@v0.12.0
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.9.0

SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

# apt says nothing unless it fails.
APT := $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0
INSTALL := install --no-install-recommends

.DEFAULT_GOAL := help
.PHONY: help build scenario named list doctor test test-unit test-stacks bench-load check vuln deps test-deps clean clean-images

help: ## say what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo
	@echo "  make scenario NAME=mruby-vs-lua            a whole run"
	@echo "  make scenario NAME=mruby-vs-lua QUICK=1    two short rounds, to see that it works"

build: bin/dyno ## build bin/dyno, static

bin/dyno: FORCE
	@CGO_ENABLED=0 go build -trimpath -o $@ ./cmd/dyno
FORCE:

scenario: named build deps ## run the scenario NAME (QUICK=1: two short rounds; ARGS: further flags)
	@bin/dyno run $(NAME) $(if $(QUICK),--quick) $(ARGS)

named:
	@test -n "$(NAME)" || { echo "say which: make scenario NAME=mruby-vs-lua; make list shows all" >&2; exit 2; }

list: build ## list scenarios and stacks
	@bin/dyno list

doctor: build ## check whether this machine can run dyno, and how well
	@bin/dyno doctor

test: deps test-deps ## run all tests, those with real containers among them
	go test -race -timeout 40m ./...

test-unit: ## run the tests that need no Docker
	go test -race -short ./...

test-stacks: build deps ## build and check every stack of every scenario (half an hour from nothing)
	bin/dyno check --all --wait $(ARGS)

bench-load: bench-deps ## weigh the load engine against wrk, ab and h2load (8 minutes)
	@CGO_ENABLED=0 go build -trimpath -o bin/bench-load ./orchestrator/load/bench
	@bin/bench-load >bin/bench-load.md && mv bin/bench-load.md docs/bench-load.md && cat docs/bench-load.md

check: ## check form: gofumpt, go vet, staticcheck, go mod tidy
	@unformatted=$$(go run $(GOFUMPT) -l .); test -z "$$unformatted" || { echo "run gofumpt on:"; echo "$$unformatted"; exit 1; }
	go vet ./...
	go run $(STATICCHECK) ./...
	go mod tidy -diff

vuln: ## look for known vulnerabilities (needs the network)
	go run $(GOVULNCHECK) ./...

# What base images are bootstrapped with where no registry answers, and what
# the tests need beside Go and Docker.
deps:
	@command -v mmdebstrap >/dev/null || { $(APT) update && $(APT) $(INSTALL) mmdebstrap debian-archive-keyring; } || \
	  echo "mmdebstrap could not be installed; images must be present or come from a registry" >&2

test-deps:
	@command -v gcc >/dev/null && command -v ab >/dev/null || \
	  { $(APT) update && $(APT) $(INSTALL) gcc libc6-dev apache2-utils; }

bench-deps:
	@command -v wrk >/dev/null && command -v ab >/dev/null && command -v h2load >/dev/null && command -v nginx >/dev/null && command -v perf >/dev/null || \
	  { $(APT) update && $(APT) $(INSTALL) wrk apache2-utils nghttp2-client nginx linux-perf; }

clean: build ## remove what dead runs left, and what was built here
	bin/dyno clean
	rm -rf bin results/runs/builds

clean-images: build ## remove the images that dyno built
	bin/dyno clean --images
