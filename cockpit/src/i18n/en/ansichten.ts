import type { Translation } from '../de.ts';

export const ansichten: Translation['ansichten'] = {
  title: 'Views',
  kept: 'Saved views',
  none: 'None saved yet',
  link: 'Link to this view',
  copyLink: 'Copy link',
  save: 'Save view …',
  manage: 'Manage views …',
  saveTitle: 'Save view',
  saveText: 'What you see now is saved: page, period, filter and order. Only you see your views.',
  name: 'Name',
  nameHint: 'The name of one of your views overwrites it.',
  overwrites: '“{{name}}” will show what you see now.',
  overwrite: 'Overwrite',
  saved: '“{{name}}” is saved.',
  manageTitle: 'Manage views',
  rename: 'Rename',
  renameNamed: 'Rename {{name}}',
  remove: 'Remove',
  removeNamed: 'Remove {{name}}',
  removeSure: 'Remove “{{name}}”?',
};
