export const branding = {
  title: 'Branding',
  text: 'This is how end customers see your company on statements.',
  settings: 'Details',
  name: 'Name',
  nameHint: 'Left empty, it says “{{firma}}”.',
  color: 'Colour',
  logo: 'Address of the logo',
  logoHint: 'PNG or JPEG, 512 KiB at most, publicly reachable. The service fetches it itself.',
  footer: 'Footer',
  footerHint: '500 characters at most, such as postal address and company register.',
  saved: 'Branding saved.',
  preview: 'Preview',
  logoOf: 'Logo of {{name}}',
  logoAfterSaving: 'The new logo appears after saving.',
  sample: {
    title: 'Statement',
    to: 'For',
    customer: 'Sample Customer Ltd',
    period: 'Period',
    amount: 'Amount',
    note: 'Customer, period and amount are made up.',
  },
};

export const avv = {
  title: 'Data processing agreement',
  version: 'Version {{fassung}}',
  versionUnknown: 'An earlier version',
  accepted: '{{version}}, accepted on {{time}}',
  acceptedBy: '{{version}}, accepted on {{time}} by {{name}}',
  newer: 'Version {{fassung}} applies now',
  open: 'Not accepted yet',
  openText:
    'Needed when your calls carry personal data, in benutzer_ref for instance. Owners and administrators may accept it.',
  accept: 'Accept agreement',
  acceptedToast: 'The agreement is accepted.',
  print: 'Print',
  template: 'This is a template. Have a lawyer check it before you rely on it.',
  selfOperated: 'If you operate the installation yourself, you do not need this agreement.',
  language: 'The agreement is in German.',
};

export const kurse = {
  title: 'Exchange rates',
  text: 'Providers charge in US dollars. They are converted to euros at the reference rate of the European Central Bank of the day of the call; where that is not known, at the substitute rate.',
  setting: 'Substitute rate',
  label: 'Replace substitute rates by reference rates',
  hint: 'Calls that were converted at the substitute rate get the reference rate of their day once it is known: their cost in euros then changes afterwards.',
  saved: 'Saved.',
} as const;
