export const kuendigung = {
  title: 'Kündigung',
  what: 'Was geschieht',
  point: {
    keys: 'Alle API-Schlüssel sind sofort gesperrt. Programme können nichts mehr melden oder abfragen.',
    sessions: 'Alle Benutzer sind sofort abgemeldet und kommen nicht mehr hinein. Einladungen erlöschen.',
    booking: 'Ein gebuchter Tarif wird beim Zahlungsanbieter beendet.',
    deletion: 'Nach 30 Tagen werden alle Daten endgültig gelöscht.',
    undo: 'Bis dahin kann der Betreiber die Kündigung zurücknehmen.',
  },
  exportFirst: 'Exportieren Sie vorher Ihre Daten. Nach der Kündigung geht es nicht mehr.',
  toExport: 'Zum Export',
  cancel: 'Konto kündigen',
  typeName: 'Zur Bestätigung „{{firma}}“ eingeben',
  password: 'Ihr Passwort',
  confirm: 'Konto kündigen',
  needsPassword:
    'Zum Kündigen brauchen Sie ein Passwort. Lassen Sie sich einen Link schicken, mit dem Sie es setzen.',
  done: 'Das Konto ist gekündigt',
  doneText:
    'Alle Schlüssel sind gesperrt, alle Sitzungen beendet. Inhaber und Verwalter bekommen eine Mail darüber, wenn ein Mailserver eingerichtet ist.',
  deletionFrom: 'Löschung ab',
  undo: 'Bis zum {{time}} kann der Betreiber die Kündigung zurücknehmen, danach niemand mehr. Nennen Sie ihm dafür diese Kennung:',
} as const;
