import config from './lingui.config.ts';

/** The catalogues that exist in every language: all but those of staff pages. */
export default { ...config, catalogs: config.catalogs?.filter(({ path }) => !path.endsWith('/staff')) };
