import { useTranslation } from 'react-i18next';
import type { Schluessel } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { useBlockKey } from './use-connection.ts';

/** What stops working, and whether anybody would notice. */
function Consequences({ target }: { target: Schluessel }) {
  const { t } = useTranslation();
  const format = useFormat();
  const used = target.zuletzt_benutzt_am;
  return (
    <ul className="flex list-disc flex-col gap-1 pl-5 text-ink-2">
      {target.bereiche.includes('Senden') && <li>{t('anbindung.breaksSend')}</li>}
      {target.bereiche.includes('Lesen') && <li>{t('anbindung.breaksRead')}</li>}
      <li>
        {used === null
          ? t('anbindung.neverUsedYet')
          : t('anbindung.usedAgo', { ago: format.ago(used, new Date()) })}
      </li>
    </ul>
  );
}

/** Asks before a key is blocked, and names what stops working. */
export function BlockDialog({ target, onClose }: { target: Schluessel; onClose: () => void }) {
  const { t } = useTranslation();
  const { sentence } = useErrorText();
  const block = useBlockKey(() => {
    toast(t('anbindung.blocked', { name: target.name }));
    onClose();
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('anbindung.blockTitle', { name: target.name })}
      description={t('anbindung.blockText', { key: target.anzeige })}
      actions={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button kind="harm" busy={block.isPending} onClick={() => block.mutate(target.schluessel_id)}>
            {t('anbindung.block')}
          </Button>
        </>
      }
    >
      <Consequences target={target} />
      {block.error && (
        <Notice tone="harm" live>
          {sentence(block.error)}
        </Notice>
      )}
    </Dialog>
  );
}
