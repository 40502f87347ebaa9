export const zugang = {
  login: 'Sign in',
  register: 'Create account',
  registerAction: 'Create account',
  noAccount: 'No account yet?',
  hasAccount: 'Have an account?',
  company: 'Company',
  email: 'E-mail',
  password: 'Password',
  passwordHint: '10 to 200 characters.',
  code: 'Code',
  codeHint: 'From your authenticator app, or a recovery code.',
  codeShow: 'Enter second factor',
  agreement: 'I accept the data-processing agreement (AVV).',
  agreementHint: 'Needed when calls carry personal data, for instance in benutzer_ref.',
};

export const rolle = {
  inhaber: 'Owner',
  verwalter: 'Administrator',
  bearbeiter: 'Editor',
  buchhaltung: 'Accounting',
  betrachter: 'Viewer',
};
