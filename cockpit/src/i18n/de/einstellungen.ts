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
  noName: 'nicht angegeben',
  email: 'E-Mail',
  role: 'Rolle',
  operator: 'Betreiber der Installation',
  company: 'Firma',
  mandantId: 'Mandant-ID',
  zone: 'Zeitzone',
  zoneHint: 'In ihr beginnen und enden Tage und Monate.',
  whoChanges: 'Name und Rolle ändern Inhaber und Verwalter.',
} as const;
