/** Refusals around reservations. */
import { AppError } from '#kernel/errors.ts';
import { MAX_OPEN } from './limits.ts';

/** 429: more blocks are open than are looked through. */
export const tooManyReservations = () =>
  new AppError(
    'too-many',
    'reservierungen_zu_viele',
    {
      de: `Es sind schon ${MAX_OPEN} Reservierungen offen. Weitere sind möglich, sobald welche verbucht oder verfallen sind.`,
      en: `${MAX_OPEN} reservations are open already. There can be more once some are booked or have lapsed.`,
    },
    5,
  );
