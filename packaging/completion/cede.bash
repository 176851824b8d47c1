# SPDX-License-Identifier: MIT
# bash completion for cede. Needs nothing but bash; a test compares the lists with what the command says.

_cede_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

_cede_words() {
  mapfile -t COMPREPLY < <(compgen -W "$2" -- "$1")
}

_cede() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command='' word i
  local commands='plan explain check export shares admit policy topology run schema help' shared='--color --help'
  COMPREPLY=()

  # bash makes words of its own of --name=value: the name, the sign and the value.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi

  for ((i = 1; i < COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    case $word in
      --color)
        if [[ ${COMP_WORDS[i + 1]} == = ]]; then ((++i)); fi
        ((++i))
        ;;
      -*) ;;
      *)
        command=$word
        break
        ;;
    esac
  done

  case $previous in
    --color) _cede_words "$current" 'auto always never'; return ;;
    --profile) _cede_words "$current" 'priority class-cost quota fair-share guarantee'; return ;;
    --kind) _cede_words "$current" 'batch inference interactive service training sensitive'; return ;;
    --reason) _cede_words "$current" 'reclaim sensitive'; return ;;
    --relief) compopt -o nospace 2>/dev/null; _cede_words "$current" 'node: queue: job:'; return ;;
    --job | --batch | --protect | --avoid | --only | --now | --claim | --nodes | --queue | --group | --project | --user | --priority | --class | --speed) return ;;
    --cluster | --policy | --state | --changes | --check | --output | -o | --folder | --resume) _cede_files "$current"; return ;;
  esac

  case $command in
    '')
      if [[ $current == -* ]]; then
        _cede_words "$current" "--version $shared"
      else
        _cede_words "$current" "$commands"
      fi
      ;;
    plan | explain)
      if [[ $current == -* ]]; then
        local all=
        if [[ $command == explain ]]; then all=--all; fi
        _cede_words "$current" "--cluster --policy --job --batch --relief --group --partial --claim --nodes --reason
          --protect --avoid --only --now --state $all --verbose --json $shared"
      fi
      ;;
    check)
      if [[ $current == -* ]]; then
        _cede_words "$current" "--json --strict $shared"
      else
        _cede_files "$current"
      fi
      ;;
    export) if [[ $current == -* ]]; then _cede_words "$current" "--cluster --policy --output $shared"; fi ;;
    shares) if [[ $current == -* ]]; then _cede_words "$current" "--cluster --policy --group --now --json $shared"; fi ;;
    admit)
      if [[ $current == -* ]]; then
        _cede_words "$current" "--cluster --policy --job --changes --queue --group --project --user --kind --priority
          --class --opt-out --json $shared"
      fi
      ;;
    policy) if [[ $current == -* ]]; then _cede_words "$current" "--profile --check --json $shared"; fi ;;
    topology)
      if [[ $current == -* ]]; then
        _cede_words "$current" "--json $shared"
      else
        _cede_files "$current"
      fi
      ;;
    run)
      if [[ $current == -* ]]; then
        _cede_words "$current" "--demo --speed --folder --resume --plain --json $shared"
      else
        _cede_files "$current"
      fi
      ;;
    schema)
      if [[ $current == -* ]]; then
        _cede_words "$current" "$shared"
      else
        _cede_words "$current" 'cede-cluster/1 cede-changes/1 cede-policy/1 cede-plan/1 cede-in-flight/1 cede-events/1
          cede-actions/1 cede-admission/1 cede-shares/1 cede-topology/1 cede-scenario/1 cede-slurm/1 cede-check/1 cede-profiles/1
          cede-topologies/1 cede-run/1'
      fi
      ;;
    help)
      if [[ $current == -* ]]; then
        _cede_words "$current" "$shared"
      else
        _cede_words "$current" "$commands"
      fi
      ;;
  esac
}

complete -F _cede cede
