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

async function fetchFile({ ask, fileName }: Wanted): Promise<string> {
  const answer = await ask();
  const data = await answer.blob().catch(() => {
    throw new ApiError({ status: 0, code: 'nicht_erreichbar', detail: '' });
  });
  const saved = nameOf(answer) ?? fileName;
  saveBlob(saved, data);
  return saved;
}

/** Fetches a file and saves it; what goes wrong stands in `error`. */
export function useFile() {
  const { t } = useTranslation();
  return useMutation({
    mutationFn: fetchFile,
    onSuccess: (name) => toast(t('weiterbelastung.fileReady', { name })),
  });
}
