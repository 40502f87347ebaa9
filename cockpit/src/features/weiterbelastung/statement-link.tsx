import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ichQuery } from '../../api/queries.ts';

/** From the figures of an end customer to their statement; nothing for users who may not see it. */
export function StatementLink({ referenz, className }: { referenz: string; className: string }) {
  const { t } = useTranslation();
  const may = useQuery(ichQuery).data?.rechte.includes('weiterbelastung.verwalten');
  if (!may || referenz === '') return null;
  return (
    <Link to="/endkunden/abrechnung" search={{ referenz }} className={className}>
      {t('ansicht.statement')}
    </Link>
  );
}
