export const einstellungen = {
  title: 'Einstellungen',
  group: { selbst: 'Mein Konto', mandant: 'Firma' },
  section: {
    profil: 'Profil',
    sicherheit: 'Sicherheit',
    benutzer: 'Benutzer',
    schluessel: 'API-Schlüssel',
    branding: 'Branding',
    alarme: 'Alarme',
    firmenkonto: 'Single Sign-on',
    kurse: 'Wechselkurse',
    buchhaltung: 'Buchhaltung',
    paket: 'Tarif',
    avv: 'AV-Vertrag',
    protokoll: 'Prüfprotokoll',
    export: 'Export',
    kuendigung: 'Kündigung',
  },
} as const;

export const profil = {
  title: 'Profil',
  name: 'Name',
  email: 'E-Mail',
  role: 'Rolle',
  operator: 'Betreiber der Installation',
  company: 'Firma',
  mandantId: 'Mandant-ID',
  language: 'Sprache',
  languageHint: 'Für das Cockpit, in jedem Browser.',
  browser: 'Wie im Browser',
  zone: 'Zeitzone für Uhrzeiten',
  zoneHint:
    'Gilt für Läufe, Schritte, Anmeldungen und das Prüfprotokoll. Zahlen und Tage bleiben in der Zeitzone der Firma.',
  zoneOfCompany: 'Wie die Firma ({{zone}})',
  saved: 'Profil gespeichert.',
  companyZone: 'Zeitzone',
  companyZoneHint: 'In ihr beginnen und enden Tage und Monate.',
  companyFixed:
    'Firma und Zeitzone stehen seit der Registrierung fest: An der Zeitzone hängt, zu welchem Tag ein Aufruf zählt. Wie Ihre Firma für Endkunden heißt, ändern Sie unter',
  whoChanges: 'Die Rolle ändern Inhaber und Verwalter unter',
  whoChangesNoRight: 'Die Rolle ändern Inhaber und Verwalter.',
} as const;
