import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Preisbuch } from '../../api/types.ts';
import { CheckField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { contentOf } from './book.ts';
import { useBookFaults, useChangeBook, useMayPrice } from './use-book.ts';

/** Whether the cost that a call reports is its cost. */
export function ReportedCosts({ book }: { book: Preisbuch }) {
  const { t } = useTranslation();
  const may = useMayPrice();
  // Shows at once; without that the box jumps back until the answer comes.
  const [wanted, setWanted] = useState<boolean | null>(null);
  const save = useChangeBook(() => undefined);
  const { whole } = useBookFaults(save.error, []);
  return (
    <Panel title={t('preise.reported.title')}>
      <CheckField
        label={t('preise.reported.label')}
        hint={t('preise.reported.text')}
        checked={wanted ?? book.gemeldete_kosten}
        disabled={!may || save.isPending}
        onChange={(event) => {
          const gemeldete_kosten = event.target.checked;
          setWanted(gemeldete_kosten);
          const settled = { onSettled: () => setWanted(null) };
          save.mutate((content) => ({ ...contentOf(content), gemeldete_kosten }), settled);
        }}
      />
      {whole && (
        <Notice tone="harm" live>
          {whole}
        </Notice>
      )}
    </Panel>
  );
}
