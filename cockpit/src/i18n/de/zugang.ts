export const zugang = {
  login: 'Anmelden',
  register: 'Konto anlegen',
  registerAction: 'Konto anlegen',
  noAccount: 'Noch kein Konto?',
  hasAccount: 'Schon ein Konto?',
  company: 'Firma',
  email: 'E-Mail',
  password: 'Passwort',
  passwordHint: '10 bis 200 Zeichen.',
  code: 'Code',
  codeHint: 'Aus der Authenticator-App oder ein Wiederherstellungscode.',
  codeShow: 'Zweiten Faktor eingeben',
  agreement: 'Ich nehme den Vertrag zur Auftragsverarbeitung (AVV) an.',
  agreementHint: 'Nötig, wenn Aufrufe personenbezogene Angaben tragen, etwa in benutzer_ref.',
} as const;

export const rolle = {
  inhaber: 'Inhaber',
  verwalter: 'Verwalter',
  bearbeiter: 'Bearbeiter',
  buchhaltung: 'Buchhaltung',
  betrachter: 'Betrachter',
} as const;
