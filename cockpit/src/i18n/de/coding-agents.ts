/** Programs that write code, and whose their calls are. */
export const codingAgents = {
  title: 'Coding Agents',
  link: 'Claude Code, Codex, Gemini CLI, Copilot, opencode: Einstellungen für Coding Agents',
  intro:
    'Coding Agents senden von sich aus OpenTelemetry: Sie brauchen nur diese Einstellungen. Eingaben und Antworten werden verworfen, bevor etwas gespeichert wird.',
  step2: '2. Einstellen',
  agents: 'Coding Agent',
  repository: 'Repository',
  customer: 'Endkunde (freiwillig)',
  paid: 'Wer bezahlt',
  paidBy: {
    auto: 'Wie der Agent es sagt',
    subscription: 'Ein Abonnement',
    call: 'Jeder Aufruf einzeln',
  },
  shell: 'In der Umgebung, in der er startet (Shell, direnv, CI)',
  settingOf: '{{agent}}: {{name}}',
  setting: {
    person: 'Für eine Person',
    team: 'Für ein Team: verwaltete Einstellungen',
    repository: 'Je Repository',
    environment: 'Umgebung',
  },
  note: {
    claudeCode:
      'macOS: /Library/Application Support/ClaudeCode/managed-settings.json, Windows: C:\\Program Files\\ClaudeCode\\managed-settings.json. Verwaltete Einstellungen kann niemand überschreiben. In der Datei des Repositorys darf nur stehen, wessen Aufrufe es sind: Wohin gesendet wird, übergeht Claude Code dort. Protokolle genügen; Messwerte und Spans fügen nichts hinzu.',
    codex:
      'Die Datei eines Repositorys übergeht Codex bei [otel]: Repository und Endkunde nennt die Umgebung. Verwaltete Vorgaben gelten bei jedem Start; auf macOS auch per MDM.',
    gemini:
      'macOS: /Library/Application Support/GeminiCli/settings.json, Windows: C:\\ProgramData\\gemini-cli\\settings.json. Den Schlüssel liest Gemini CLI nur aus der Umgebung; in ~/.gemini/.env stehen dieselben Zeilen ohne export. Läuft Gemini CLI über den Proxy, bleibt das hier weg: Beides zusammen zählte doppelt.',
    copilot:
      'Das Repository nennt Copilot selbst. Die verwalteten Einstellungen verteilt GitHub Enterprise, MDM oder eine Datei; den Schlüssel gibt Copilot CLI daraus nicht weiter, er gehört in die Umgebung. capture.identity nennt den Namen bei GitHub, sonst niemanden.',
    opencode:
      'macOS: /Library/Application Support/opencode, Windows: %ProgramData%\\opencode. Wohin gesendet wird, liest opencode aus der Umgebung. Ob ein Abonnement bezahlt, sagt es nicht: oben wählen.',
  },
  whose: 'Wessen Aufrufe es sind',
  fact: {
    developer: 'Entwickler',
    repository: 'Repository',
    session: 'Sitzung',
    cost: 'Wo es steht',
  },
  factText: {
    developer:
      'steht als Benutzer: die E-Mail-Adresse, wo jemand angemeldet ist, sonst Konto oder Gerät. enduser.id in OTEL_RESOURCE_ATTRIBUTES geht vor.',
    repository: 'steht als Projekt: Budgets, Regeln und Ansichten gelten je Projekt.',
    session: 'ist ein Lauf: alles, was der Agent in einer Sitzung tut, mit seinen Schritten.',
    cost: 'Aufschlüsselung nach Benutzer, Projekt oder Agent; einzelne Sitzungen unter Läufe.',
  },
  subscriptions: 'Abonnements',
  subscriptionsText:
    'Was ein Abonnement bezahlt, hat keinen Preis je Aufruf. Es steht zum Listenpreis da, als „Listenpreis, Abonnement“ gekennzeichnet, und zählt in Summen, Budgets und Regeln mit. Auf der Abrechnung eines Endkunden steht es nicht.',
  passOn: 'Abonnements zum Listenpreis weiterbelasten',
  passOnHint: 'Gilt für Aufrufe, die von nun an gezählt werden. Was abgerechnet ist, bleibt.',
  arrived: 'Was ankommt',
  attributes: 'Namen der Attribute',
  attributesText:
    'Wie Ihre Programme in OpenTelemetry Endkunde, Funktion und Projekt nennen: am Span, in den Metadaten der Bibliothek oder in OTEL_RESOURCE_ATTRIBUTES. Eigene Namen gehen den bekannten vor, mehrere durch Komma getrennt.',
  names: { endkunde_namen: 'Endkunde', funktion_namen: 'Funktion', projekt_namen: 'Projekt' },
  known: {
    endkunde_namen: 'Bekannt: customer, customer_id, tenant, tenant_id, endkunde',
    funktion_namen: 'Bekannt: feature, funktion',
    projekt_namen: 'Bekannt: project, projekt, repository, vcs.repository.name',
  },
  ownDimensions: 'Eigene Merkmale',
  ownDimensionsText:
    'Schlüssel aus zusatz, nach denen die Schnittstelle Verbrauch filtert und gruppiert, etwa team oder umgebung: GET /v1/api/verbrauch?gruppe=merkmal_1,modell. Eine Änderung gilt für Aufrufe, die eine Minute später eingehen. Ein Platz, dessen Schlüssel wechselt, behält die Werte von vorher.',
  save: 'Speichern',
  saved: 'Gespeichert.',
  mark: 'Listenpreis, Abonnement',
} as const;
