import config from './lingui.config.ts';

/** The catalogues of staff pages, in the languages of staff. */
export default {
  ...config,
  locales: ['en', 'de'],
  catalogs: config.catalogs?.filter(({ path }) => path.endsWith('/staff')),
};
