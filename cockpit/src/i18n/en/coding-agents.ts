/** Programs that write code, and whose their calls are. */
export const codingAgents = {
  title: 'Coding agents',
  link: 'Claude Code, Codex, Gemini CLI, Copilot, opencode: settings for coding agents',
  intro:
    'Coding agents emit OpenTelemetry by themselves: all they need are these settings. Prompts and answers are dropped before anything is stored.',
  step2: '2. Set up',
  agents: 'Coding agent',
  repository: 'Repository',
  customer: 'End customer (optional)',
  paid: 'Who pays',
  paidBy: {
    auto: 'As the agent says',
    subscription: 'A subscription',
    call: 'Each call by itself',
  },
  shell: 'In the environment it starts in (shell, direnv, CI)',
  settingOf: '{{agent}}: {{name}}',
  setting: {
    person: 'For one person',
    team: 'For a team: managed settings',
    repository: 'By repository',
    environment: 'Environment',
  },
  note: {
    claudeCode:
      'macOS: /Library/Application Support/ClaudeCode/managed-settings.json, Windows: C:\\Program Files\\ClaudeCode\\managed-settings.json. Nobody can override managed settings. The file of a repository may only say whose calls it makes: where to send is ignored there. Logs are enough; metrics and spans add nothing.',
    codex:
      'Codex ignores [otel] in the file of a repository: the environment names repository and end customer. Managed defaults hold at every start; on macOS also by MDM.',
    gemini:
      'macOS: /Library/Application Support/GeminiCli/settings.json, Windows: C:\\ProgramData\\gemini-cli\\settings.json. Gemini CLI reads the key from the environment alone; ~/.gemini/.env takes the same lines without export. Where Gemini CLI goes through the proxy, leave this out: both together would count twice.',
    copilot:
      'Copilot names the repository itself. Managed settings come by GitHub Enterprise, MDM or a file; Copilot CLI does not pass the key on from them, it belongs into the environment. capture.identity names the login at GitHub, else nobody is named.',
    opencode:
      'macOS: /Library/Application Support/opencode, Windows: %ProgramData%\\opencode. Where to send opencode reads from the environment. It does not say whether a subscription pays: choose above.',
  },
  whose: 'Whose calls they are',
  fact: {
    developer: 'Developer',
    repository: 'Repository',
    session: 'Session',
    cost: 'Where it stands',
  },
  factText: {
    developer:
      'is the user: the mail address where somebody is signed in, else account or device. enduser.id in OTEL_RESOURCE_ATTRIBUTES goes first.',
    repository: 'is the project: budgets, rules and views hold by project.',
    session: 'is a run: all that the agent does in a session, with its steps.',
    cost: 'Breakdown by user, project or agent; single sessions among the runs.',
  },
  subscriptions: 'Subscriptions',
  subscriptionsText:
    'What a subscription pays for has no price per call. It is shown at list price, marked “list price, subscription”, and counts in sums, budgets and rules. It is not on the bill of an end customer.',
  passOn: 'Pass subscriptions on at list price',
  passOnHint: 'Holds for calls that are counted from now on. What is billed stays.',
  arrived: 'What arrives',
  attributes: 'Names of attributes',
  attributesText:
    'How your programs name end customer, function and project in OpenTelemetry: on the span, in the metadata of the library, or in OTEL_RESOURCE_ATTRIBUTES. Own names go before those that are known, several with commas between them.',
  names: { endkunde_namen: 'End customer', funktion_namen: 'Function', projekt_namen: 'Project' },
  known: {
    endkunde_namen: 'Known: customer, customer_id, tenant, tenant_id, endkunde',
    funktion_namen: 'Known: feature, funktion',
    projekt_namen: 'Known: project, projekt, repository, vcs.repository.name',
  },
  ownDimensions: 'Own dimensions',
  ownDimensionsText:
    'Keys in zusatz by which the API filters and groups consumption, such as team or environment: GET /v1/api/verbrauch?gruppe=merkmal_1,modell. A change holds for calls that arrive a minute later. A place that changes its key keeps the values it had.',
  save: 'Save',
  saved: 'Saved.',
  mark: 'List price, subscription',
} as const;
