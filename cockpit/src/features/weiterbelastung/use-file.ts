/** Files of the service, handed to the browser to save. */
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/error.ts';
import { saveBlob } from '../../ui/save-file.ts';
import { toast } from '../../ui/toast.tsx';

/** The name the service gives a file. */
const nameOf = (answer: Response): string | undefined =>
  answer.headers.get('content-disposition')?.match(/filename="([^"]+)"/)?.[1];

interface Wanted {
  /** Asks for it. */
  ask: () => Promise<Response>;
  /** Where the service gives it no name. */
  fileName: string;
}

interface Saved {
  name: string;
  /** Rows that are not in it because their cost is unknown. */
  leftOut: number;
}

async function fetchFile({ ask, fileName }: Wanted): Promise<Saved> {
  const answer = await ask();
  const data = await answer.blob().catch(() => {
    throw new ApiError({ status: 0, code: 'nicht_erreichbar', detail: '' });
  });
  const name = nameOf(answer) ?? fileName;
  saveBlob(name, data);
  return { name, leftOut: Number(answer.headers.get('x-rows-left-out') ?? 0) };
}

/** Fetches a file and saves it; what goes wrong stands in `error`. */
export function useFile() {
  const { t } = useTranslation();
  return useMutation({
    mutationFn: fetchFile,
    onSuccess: ({ name }) => toast(t('weiterbelastung.fileReady', { name })),
  });
}
