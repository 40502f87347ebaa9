/**
 * How calls are to be answered. Every client can be given an address, so the directions are its first part:
 * `http://127.0.0.1:<port>/~<tag>,<direction>,…/<path of the provider>`.
 */
export interface Directions {
  /** Under which the truth of the calls is kept and asked for. */
  tag: string;
  /** `loop`: asks for the same tool again, whatever it returned. */
  loop: boolean;
  /** `fail=429`: refuses with this status; `fail=429x2`: the first two requests of the tag only. */
  fail: { status: number; times: number } | null;
  /** `slow=50`: milliseconds before an answer, and between the pieces of a stream. */
  slowMs: number;
  /** `words=8`: pieces of the text. */
  words: number;
  /** `cut`: the connection breaks in the middle of a stream. */
  cut: boolean;
  /** `upset`: the stream ends in the middle with the provider's own error. */
  upset: boolean;
}

const PLACE = /^\/~([^/]+)(\/.*)$/;

function failureOf(value: string | undefined): Directions['fail'] {
  const [status, times] = (value ?? '').split('x').map(Number);
  return status ? { status, times: times ?? Number.POSITIVE_INFINITY } : null;
}

/** The directions of an address and the path that is the provider's; an address without any is answered as usual. */
export function directionsIn(path: string): { directions: Directions; path: string } {
  const [, place = '', rest = path] = PLACE.exec(path) ?? [];
  const [tag = '', ...said] = decodeURIComponent(place).split(',');
  const given = new Map(said.map((each) => each.split('=', 2) as [string, string | undefined]));
  const directions = {
    tag,
    loop: given.has('loop'),
    fail: failureOf(given.get('fail')),
    slowMs: Number(given.get('slow') ?? 0),
    words: Number(given.get('words') ?? 6),
    cut: given.has('cut'),
    upset: given.has('upset'),
  };
  return { directions, path: rest };
}
