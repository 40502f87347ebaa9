import { useTranslation } from 'react-i18next';
import { shortcutOf } from '../features/verbrauch/search.ts';
import { setPreferences, usePreferences } from '../preferences.ts';
import { Dialog } from '../ui/dialog.tsx';
import { CheckField } from '../ui/field.tsx';
import { Kbd } from '../ui/kbd.tsx';

/** The keys of the cockpit, and the switch that turns the single ones off. */
export function HelpDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const { shortcuts } = usePreferences();
  const periods = (['heute', 'gestern', '7tage', 'monat', '30tage'] as const).map((word) => ({
    keys: [shortcutOf[word] ?? ''],
    what: t(`zeitraum.${word}`),
  }));
  const lines = [
    { keys: [t('palette.key')], what: t('palette.title') },
    { keys: ['?'], what: t('shell.help') },
    { keys: ['/'], what: t('help.search') },
    { keys: ['J', 'K'], what: t('help.rows') },
    ...periods,
    { keys: ['←', '→'], what: t('help.shift') },
  ];
  return (
    <Dialog open={open} onClose={onClose} title={t('shell.help')}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2">
        {lines.map(({ keys, what }) => (
          <div key={what} className="contents">
            <dt className="flex gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <div className="border-t pt-4">
        <CheckField
          label={t('help.single')}
          hint={t('help.singleHint')}
          checked={shortcuts}
          onChange={(event) => setPreferences({ shortcuts: event.target.checked })}
        />
      </div>
    </Dialog>
  );
}
