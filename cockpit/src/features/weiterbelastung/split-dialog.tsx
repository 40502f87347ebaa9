import { useTranslation } from 'react-i18next';
import type { Endkunde } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { nameOf } from './names.ts';
import { useChange } from './use-customers.ts';

/** The references that count for an end customer, and the way to have each stand for itself again. */
export function SplitDialog({ of, onClose }: { of: Endkunde; onClose: () => void }) {
  const { t } = useTranslation();
  const split = useChange('endkundeZusammenfuehren', t('weiterbelastung.splitDone'), onClose);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('weiterbelastung.mergedTitle', { name: nameOf(of) })}
      actions={<Button onClick={onClose}>{t('ui.done')}</Button>}
    >
      <div className="-mx-4">
        <ItemList label={t('weiterbelastung.mergedRefs')}>
          {of.zusammengefuehrt.map(({ endkunde_id, referenz }) => (
            <Item
              key={endkunde_id}
              title={referenz}
              hint={referenz}
              action={
                <Button
                  busy={split.isPending}
                  onClick={() => split.mutate({ params: { endkunde_id }, body: { ziel_id: null } })}
                >
                  {t('weiterbelastung.split')}
                </Button>
              }
            />
          ))}
        </ItemList>
      </div>
      {split.error && <ErrorNotice error={split.error} />}
    </Dialog>
  );
}
