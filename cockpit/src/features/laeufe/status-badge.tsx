import { Badge } from '../../ui/badge.tsx';

/** The status of a run or a call, in the word that was sent; only success is calm. */
export function StatusBadge({ status, title }: { status: string; title?: string | undefined }) {
  return (
    <Badge tone={status === 'erfolgreich' ? 'neutral' : 'harm'} title={title}>
      <span className="max-w-32 truncate">{status}</span>
    </Badge>
  );
}
