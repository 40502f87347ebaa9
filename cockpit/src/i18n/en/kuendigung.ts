export const kuendigung = {
  title: 'Cancellation',
  what: 'What happens',
  point: {
    keys: 'All API keys are blocked at once. Programs can neither report nor query any more.',
    sessions: 'All users are signed out at once and cannot get in any more. Invitations end.',
    booking: 'A booked plan is ended at the payment provider.',
    deletion: 'After 30 days all data are deleted for good.',
    undo: 'Until then the operator can take the cancellation back.',
  },
  exportFirst: 'Export your data first. After the cancellation you cannot.',
  toExport: 'To the export',
  cancel: 'Cancel account',
  typeName: 'Type “{{firma}}” to confirm',
  password: 'Your password',
  confirm: 'Cancel account',
  needsPassword: 'To cancel you need a password. Have a link sent to you with which to set it.',
  done: 'The account is cancelled',
  doneText:
    'All keys are blocked, all sessions ended. Owners and administrators get a mail about it, if a mail server is set up.',
  deletionFrom: 'Deletion from',
  undo: 'Until {{time}} the operator can take the cancellation back, afterwards nobody can. Tell them this ID:',
};
