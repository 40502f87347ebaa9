import { AppError, conflict } from '#kernel/errors.ts';

const span = (seconds: number): { de: string; en: string } => {
  if (seconds < 120) return { de: 'zwei Minuten', en: 'two minutes' };
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return { de: `${minutes} Minuten`, en: `${minutes} minutes` };
  const hours = Math.ceil(minutes / 60);
  if (hours < 48) return { de: `${hours} Stunden`, en: `${hours} hours` };
  const days = Math.ceil(hours / 24);
  return { de: `${days} Tagen`, en: `${days} days` };
};

/** 429: the Mandant, or the address, has no room for more mail; `wait` says for how many seconds. */
export function mailExhausted({ wait, mandantExhausted }: { wait: number; mandantExhausted: boolean }) {
  const { de, en } = span(wait);
  const detail = mandantExhausted
    ? {
        de: `Von diesem Konto sind so viele Mails an andere gegangen, wie vorgesehen sind. In ${de} ist wieder Platz.`,
        en: `As many mails to others as are meant to have left from this account. There is room again in ${en}.`,
      }
    : {
        de: `An diese Adresse sind so viele Mails gegangen, wie vorgesehen sind. In ${de} ist wieder Platz.`,
        en: `As many mails as are meant to have gone to this address. There is room again in ${en}.`,
      };
  return new AppError('too-many', 'post_ausgeschoepft', detail, wait);
}

/** 409: nobody has shown yet in whose name the mail would leave. */
export const mailUnproven = () =>
  conflict('post_unbestaetigt', {
    de: 'Mails an andere gehen erst hinaus, wenn ein Inhaber seine E-Mail-Adresse bestätigt hat: mit dem Link aus der Mail zur Registrierung, den das Cockpit noch einmal schickt.',
    en: 'Mail to others leaves once an inhaber has confirmed the own e-mail address: by the link in the mail of the registration, which the cockpit sends again.',
  });

/** 404: the link is not ours, or of another key. */
export const receiptLinkInvalid = () =>
  new AppError('not-found', 'link_ungueltig', {
    de: 'Dieser Link gilt nicht oder nicht mehr.',
    en: 'This link is not valid, or no longer.',
  });
