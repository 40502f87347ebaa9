/** The files by which the service hands out its packages, at `/pakete/…`. */
import { VERSION } from '#client/library.ts';

/** What `npm install ./…` takes. */
export const TARBALL = `zaehlwerk-${VERSION}.tgz`;
/** What `pip install ./…` takes. */
export const WHEEL = `zaehlwerk-${VERSION}-py3-none-any.whl`;
