import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { firstLoad } from './first-load.ts';
import { packFiles } from './pack-files.ts';

const service = 'http://127.0.0.1:8080';

export default defineConfig(({ command }) => {
  // Whatever the service or a test runs as, what is built is for readers: React has another form for developers, twice as large.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return {
    root: fileURLToPath(new URL('.', import.meta.url)),
    plugins: [react(), tailwindcss(), firstLoad(), packFiles()],
    // What the package reads CSV with has a form of its own for browsers.
    resolve: { alias: { 'csv-parse/sync': 'csv-parse/browser/esm/sync' } },
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      // The policy of the service allows no data: addresses for scripts and fonts, so nothing is inlined.
      assetsInlineLimit: 0,
    },
    server: {
      // The service refuses changes whose Origin is not its own address.
      proxy: { '/v1': { target: service, headers: { origin: service } }, '/pakete': service },
    },
  };
});
