#compdef cede
# SPDX-License-Identifier: MIT
# zsh completion for cede; installed as _cede in a folder of $fpath.

_cede() {
  local curcontext=$curcontext state line ret=1
  local -A opt_args
  local -a commands shared

  commands=(
    'plan:decide which running jobs give way to a waiting one'
    'explain:tell why each running job is taken or left alone'
    'check:validate documents, alone and against each other'
    'export:print a loaded cluster back as a document'
    'shares:show fair shares, and which jobs are below theirs or starve'
    'admit:tell whether a job is taken as submitted, and what it may ask for'
    'policy:list profiles and their settings, or check a policy'
    'topology:draw what hwloc, NCCL or Slurm files say about machines'
    'run:run a scenario\: a small resource manager with real processes'
    'schema:print the JSON Schema of a document, for editors'
    'help:show help, in general or of one command'
  )
  shared=(
    '--color=[when to use colour]:when:(auto always never)'
    '(- *)'{-h,--help}'[show help]'
  )

  _arguments -C \
    '(- *)--version[show the versions of the command, the library and its ABI]' \
    $shared \
    '1: :->command' \
    '*:: :->argument' && ret=0

  case $state in
    command)
      _describe -t commands 'command' commands && ret=0
      ;;
    argument)
      curcontext=${curcontext%:*:*}:cede-$line[1]:
      case $line[1] in
        plan)
          _arguments \
            '--cluster=[the cluster document]:cluster document:_files' \
            '--policy=[the policy document]:policy document:_files' \
            '(--batch --relief --group --partial --claim --nodes --reason)--job=[the waiting job that asks]:job: ' \
            '(--job --relief --group --partial --claim --nodes --reason)--batch=[waiting jobs, one after the other]:jobs: ' \
            '(--job --batch --avoid --only --claim --nodes --reason)--relief=[what to bring within its limit]:target: ' \
            '--group=[the group of nodes that counts]:group: ' \
            '--partial[bring it down as far as possible]' \
            '(--job --relief --group --partial)--claim=[the queue that claims nodes]:queue: ' \
            '--nodes=[the nodes it claims]:nodes: ' \
            '--reason=[why it claims them]:reason:(reclaim sensitive)' \
            '*--protect=[leave this job alone]:job: ' \
            '*--avoid=[do not use this node]:node: ' \
            '*--only=[use no node but this]:node: ' \
            '--now=[a time, seconds since 1970 or +5m]:time: ' \
            '--state=[what is in flight]:saved state:_files' \
            '--verbose[add the parts of every cost, cut no list short]' \
            '--json[print one cede-plan/1 document]' \
            $shared && ret=0
          ;;
        explain)
          _arguments \
            '--cluster=[the cluster document]:cluster document:_files' \
            '--policy=[the policy document]:policy document:_files' \
            '(--batch --relief --group --partial --claim --nodes --reason)--job=[the waiting job that asks]:job: ' \
            '(--job --relief --group --partial --claim --nodes --reason)--batch=[waiting jobs, one after the other]:jobs: ' \
            '(--job --batch --avoid --only --claim --nodes --reason)--relief=[what to bring within its limit]:target: ' \
            '--group=[the group of nodes that counts]:group: ' \
            '--partial[bring it down as far as possible]' \
            '(--job --relief --group --partial)--claim=[the queue that claims nodes]:queue: ' \
            '--nodes=[the nodes it claims]:nodes: ' \
            '--reason=[why it claims them]:reason:(reclaim sensitive)' \
            '*--protect=[leave this job alone]:job: ' \
            '*--avoid=[do not use this node]:node: ' \
            '*--only=[use no node but this]:node: ' \
            '--now=[a time, seconds since 1970 or +5m]:time: ' \
            '--state=[what is in flight]:saved state:_files' \
            '--all[a line for every unit]' \
            '--verbose[add the parts of every cost, cut no list short]' \
            '--json[print one cede-plan/1 document]' \
            $shared && ret=0
          ;;
        check)
          _arguments \
            '--json[print one cede-check/1 document]' \
            '--strict[exit with 1 when there are warnings]' \
            $shared \
            '*:document:_files' && ret=0
          ;;
        export)
          _arguments \
            '--cluster=[the cluster document to load]:cluster document:_files' \
            '--policy=[the policy document whose profiles give the defaults]:policy document:_files' \
            '(-o --output)'{-o+,--output=}'[write to a file instead of standard output]:file:_files' \
            $shared && ret=0
          ;;
        shares)
          _arguments \
            '--cluster=[the cluster document]:cluster document:_files' \
            '--policy=[the policy document]:policy document:_files' \
            '--group=[this group only]:group: ' \
            '--now=[a time, seconds since 1970 or +5m]:time: ' \
            '--json[print one cede-shares/1 document]' \
            $shared && ret=0
          ;;
        admit)
          _arguments \
            '--cluster=[the cluster document]:cluster document:_files' \
            '--policy=[the policy document]:policy document:_files' \
            '(--queue --group --project --user --kind --priority --class --opt-out)--job=[the job to ask for]:job: ' \
            '--changes=[ask for the job as it would be once these were applied]:changes document:_files' \
            '(--job --changes)--queue=[ask for a new job in this queue]:queue: ' \
            '--group=[its group of nodes]:group: ' \
            '--project=[its project]:project: ' \
            '--user=[its user]:user: ' \
            '--kind=[its kind]:kind:(batch inference interactive service training sensitive)' \
            '--priority=[the priority it asks for]:priority: ' \
            '--class=[the preemption class it asks for]:class:(0 1 2 3 4 5 6 7 8 9 10)' \
            '--opt-out[it asks not to be preempted]' \
            '--json[print one cede-admission/1 document]' \
            $shared && ret=0
          ;;
        policy)
          _arguments \
            '(--check)--profile=[show this profile only]:profile:(priority class-cost quota fair-share guarantee)' \
            '(--profile)--check=[check a policy document instead]:policy document:_files' \
            '--json[print one JSON document]' \
            $shared && ret=0
          ;;
        topology)
          _arguments \
            '--json[print one cede-topologies/1 document]' \
            $shared \
            '*:topology file:_files' && ret=0
          ;;
        run)
          _arguments \
            '(--resume)--demo[run the built-in scenario]' \
            '(--resume)--speed=[seconds of the scenario in one real second]:number: ' \
            '(--resume)--folder=[keep journal, output and saved states here]:folder:_files -/' \
            '(--demo --speed --folder)--resume=[go on with the run in this folder]:folder:_files -/' \
            '--plain[a line per event on a terminal too]' \
            '--json[print one cede-run/1 document]' \
            $shared \
            '*:scenario:_files' && ret=0
          ;;
        schema)
          _arguments $shared \
            '1:format:(cede-cluster/1 cede-changes/1 cede-policy/1 cede-plan/1 cede-in-flight/1 cede-events/1 cede-actions/1 cede-admission/1 cede-shares/1 cede-topology/1 cede-scenario/1 cede-slurm/1 cede-check/1 cede-profiles/1 cede-topologies/1 cede-run/1)' && ret=0
          ;;
        help)
          _arguments $shared '1: :->about' && ret=0
          [[ $state == about ]] && _describe -t commands 'command' commands && ret=0
          ;;
      esac
      ;;
  esac
  return ret
}

_cede "$@"
