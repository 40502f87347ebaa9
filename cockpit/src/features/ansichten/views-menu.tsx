import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ansichtenQuery } from '../../api/queries.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { MenuChoice, MenuHeading, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { useCopy } from '../../ui/use-copy.ts';
import { isSame } from './search.ts';
import { useOpenView, useShown } from './use-views.ts';

/** The user's views to choose from; the one that is shown is ticked. */
function Choice() {
  const { t } = useTranslation();
  const { sentence } = useErrorText();
  const { data, error } = useQuery(ansichtenQuery);
  const shown = useShown();
  const open = useOpenView();
  if (!data) return <MenuHeading>{error ? sentence(error) : t('ui.loading')}</MenuHeading>;
  const { ansichten } = data;
  if (ansichten.length === 0) return <MenuHeading>{t('ansichten.none')}</MenuHeading>;
  const idOf = (id: string) => ansichten.find(({ ansicht_id }) => ansicht_id === id);
  return (
    <MenuChoice<string>
      label={t('ansichten.kept')}
      value={ansichten.find((view) => isSame(view, shown))?.ansicht_id ?? ''}
      options={ansichten.map(({ ansicht_id, name }) => ({ value: ansicht_id, label: name }))}
      onChange={(id) => {
        const view = idOf(id);
        if (view) open(view);
      }}
    />
  );
}

/** What is in the menu of the views. */
export function ViewsMenu({ onDialog }: { onDialog: (dialog: 'save' | 'manage') => void }) {
  const { t } = useTranslation();
  const copy = useCopy();
  const { data } = useQuery(ansichtenQuery);
  return (
    <>
      <Choice />
      <MenuSeparator />
      <MenuItem onSelect={() => onDialog('save')}>{t('ansichten.save')}</MenuItem>
      {data && data.ansichten.length > 0 && (
        <MenuItem onSelect={() => onDialog('manage')}>{t('ansichten.manage')}</MenuItem>
      )}
      <MenuItem onSelect={() => copy(window.location.href, t('ansichten.link'))}>
        {t('ansichten.copyLink')}
      </MenuItem>
    </>
  );
}
