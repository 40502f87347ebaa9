export const einstellungen = {
  title: 'Settings',
  group: { selbst: 'My account', mandant: 'Company' },
  section: {
    profil: 'Profile',
    sicherheit: 'Security',
    benutzer: 'Users',
    schluessel: 'API keys',
    branding: 'Branding',
    alarme: 'Alerts',
    firmenkonto: 'Single sign-on',
    paket: 'Plan',
    avv: 'Data processing',
    protokoll: 'Audit log',
    export: 'Export',
    kuendigung: 'Cancellation',
  },
};

export const profil = {
  title: 'Profile',
  name: 'Name',
  noName: 'not given',
  email: 'E-mail',
  role: 'Role',
  operator: 'Operator of the installation',
  company: 'Company',
  mandantId: 'Tenant ID',
  zone: 'Time zone',
  zoneHint: 'Days and months begin and end in it.',
  whoChanges: 'Owners and administrators change name and role.',
};
