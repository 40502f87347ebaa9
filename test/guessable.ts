/** Passwords that no door takes, and the answer to them. */

export const GUESSABLE = ['1234567890', 'passwort12', ' '.repeat(10)];

const REASON = 'Dieses Passwort ist leicht zu erraten. Bitte wählen Sie ein anderes.';

/** The 422 that says so of a field, without repeating the password. */
export const tooEasy = (field: string) => ({
  detail: [
    { type: 'value_error', loc: ['body', field], msg: `Value error, ${REASON}`, ctx: { error: REASON } },
  ],
});
