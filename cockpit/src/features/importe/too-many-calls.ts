/** A file has more calls than one import takes. */
export class TooManyCalls extends Error {}
