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
