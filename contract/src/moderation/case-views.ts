import { givenCaseFiltersSchema, savedCaseViewSchema } from './case-list.ts';
import { savedViewCalls } from './saved-view-calls.ts';

export const {
  save: saveCaseView,
  change: changeCaseView,
  remove: deleteCaseView,
} = savedViewCalls({
  path: '/admin/case-views',
  access: 'cases.list',
  view: savedCaseViewSchema,
  filters: givenCaseFiltersSchema,
  saves: 'Save filters and order of open cases under a name.',
  shownAt: ['/admin/cases'],
});
