export const branding = {
  title: 'Branding',
  text: 'So sehen Endkunden Ihre Firma auf Abrechnungen.',
  settings: 'Angaben',
  name: 'Name',
  nameHint: 'Leer gelassen steht dort „{{firma}}“.',
  color: 'Farbe',
  logo: 'Adresse des Logos',
  logoHint: 'PNG oder JPEG, höchstens 512 KiB, öffentlich erreichbar. Der Dienst holt es selbst.',
  footer: 'Fußzeile',
  footerHint: 'Höchstens 500 Zeichen, zum Beispiel Anschrift und Handelsregister.',
  saved: 'Branding gespeichert.',
  preview: 'Vorschau',
  logoOf: 'Logo von {{name}}',
  logoAfterSaving: 'Das neue Logo erscheint nach dem Speichern.',
  sample: {
    title: 'Abrechnung',
    to: 'Für',
    customer: 'Beispielkunde GmbH',
    period: 'Zeitraum',
    amount: 'Betrag',
    note: 'Kunde, Zeitraum und Betrag sind erfunden.',
  },
} as const;

export const avv = {
  title: 'Auftragsverarbeitung',
  version: 'Fassung {{fassung}}',
  versionUnknown: 'Eine frühere Fassung',
  accepted: '{{version}}, angenommen am {{time}}',
  acceptedBy: '{{version}}, angenommen am {{time}} von {{name}}',
  newer: 'Es gilt jetzt Fassung {{fassung}}',
  open: 'Noch nicht angenommen',
  openText:
    'Nötig, wenn Ihre Aufrufe personenbezogene Angaben tragen, etwa in benutzer_ref. Annehmen dürfen Inhaber und Verwalter.',
  accept: 'Vertrag annehmen',
  acceptedToast: 'Der Vertrag ist angenommen.',
  print: 'Drucken',
  template:
    'Dies ist eine Vorlage. Lassen Sie sie von einer Anwältin oder einem Anwalt prüfen, bevor Sie sich auf sie verlassen.',
  selfOperated: 'Betreiben Sie die Installation selbst, brauchen Sie diesen Vertrag nicht.',
  language: 'Der Vertrag gilt in deutscher Sprache.',
} as const;

export const kurse = {
  title: 'Wechselkurse',
  text: 'Anbieter rechnen in US-Dollar. In Euro umgerechnet wird zum Referenzkurs der Europäischen Zentralbank vom Tag des Aufrufs; ist der nicht bekannt, zum Ersatzkurs.',
  known: 'Kurse',
  rate: '1 USD = {{rate}} EUR',
  substitute: 'Ersatzkurs',
  substituteOf: 'Ersatzkurs vom {{day}}',
  none: 'Noch kein Referenzkurs bekannt: Alle Aufrufe werden zum Ersatzkurs umgerechnet.',
  fetched: 'Zuletzt geholt {{when}}.',
  setting: 'Wenn ein Referenzkurs nachkommt',
  label: 'Ersatzkurse durch Referenzkurse ersetzen',
  hint: 'Aufrufe, die zum Ersatzkurs umgerechnet wurden, bekommen den Referenzkurs ihres Tages, sobald er bekannt ist: Ihre Kosten in Euro ändern sich dann nachträglich.',
  saved: 'Gespeichert.',
} as const;
