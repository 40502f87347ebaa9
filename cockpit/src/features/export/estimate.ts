/** What a call takes in the archive, packed: measured 200 bytes as JSON alone, 350 where it stands in the CSV, too. */
const BYTES_PER_CALL = 300;
/** What everything else takes. */
const BYTES_BESIDES = 30_000;

/** About how large an archive with this many calls gets. */
export const estimateBytes = (events: number): number => BYTES_BESIDES + events * BYTES_PER_CALL;
