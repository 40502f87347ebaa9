export const profil = {
  title: 'Profile',
  name: 'Name',
  email: 'E-mail',
  role: 'Role',
  operator: 'Operator of the installation',
  company: 'Company',
  mandantId: 'Tenant ID',
  language: 'Language',
  languageHint: 'Of the cockpit, in every browser.',
  browser: 'As in the browser',
  zone: 'Time zone for times',
  zoneHint:
    'For runs, steps, logins and the audit log. Figures and days stay in the time zone of the company.',
  zoneOfCompany: 'As the company ({{zone}})',
  saved: 'Profile saved.',
  companyZone: 'Time zone',
  companyZoneHint: 'Days and months begin and end in it.',
  companyFixed:
    'Company and time zone are fixed since registration: the time zone decides which day a call counts for. What end customers see as the name of your company is changed under',
  whoChanges: 'Owners and administrators change the role under',
  whoChangesNoRight: 'Owners and administrators change the role.',
};
