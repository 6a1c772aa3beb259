import { msg } from '@lingui/core/macro';
import { useNavigate, useSearchParams } from 'react-router';
import {
  changeUserView,
  deleteUserView,
  listUserViews,
  type SavedUserView,
  saveUserView,
} from '#contract/moderation/user-views.ts';
import { useCommand, useEndpoint } from '../../../api/endpoint-query.ts';
import { useSaveView } from '../../../api/saved-views.ts';
import { useMay } from '../../../api/session/permission.ts';
import { useSavedList } from '../../../ui/data/table/use-saved-list.tsx';
import { SavedLinks } from '../../../ui/data/table/ViewLinks.tsx';
import { filtersInWords, type TagChoices } from './more-filter-words.ts';
import { asFilters, isFiltered, readUserList, type UserList, withList } from './user-filters.ts';

const texts = {
  share: msg`Everyone whose role may use these filters can see it.`,
  remove: msg`The users in it are not affected.`,
};

const listOf = (filters: SavedUserView['filters']) => readUserList(new URLSearchParams(filters));

/** The address of a list, with the saved list that its filters come from. */
function addressOf(list: UserList, from: string): string {
  const params = withList(new URLSearchParams(), list);
  params.set('from', from);
  return `/users?${params}`;
}

const isSame = (one: UserList, other: UserList) => JSON.stringify(asFilters(one)) === JSON.stringify(asFilters(other));

/**
 * The links to saved lists, and the buttons and dialog to save the filters in the address. A saved list is opened as
 * its filters, so that these can be changed like any others.
 */
export function useUserLists(applied: UserList, tags: TagChoices) {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const saved = useEndpoint(listUserViews).data?.views ?? [];
  const from = saved.find(({ _id }) => _id === params.get('from'));
  const isChanged = from === undefined || !isSame(applied, listOf(from.filters));
  const filters = asFilters(applied);
  const save = useSaveView(saveUserView, changeUserView);
  const remove = useCommand(deleteUserView, (id: string) => ({ params: { id } }));
  const saving = useSavedList({
    from,
    isChanged,
    canSave: isFiltered(applied),
    summary: filtersInWords(filters, tags),
    texts,
    mayShare: useMay('cases.lead'),
    save: (body, of) => save.mutateAsync({ body: { ...body, filters }, of }),
    remove,
    onSaved: (id) => void navigate(addressOf(applied, id)),
    onDeleted: () => void navigate('/users'),
    isCompact: true,
  });
  return {
    ...saving,
    links: saved.length > 0 && (
      <SavedLinks
        lists={saved}
        current={isChanged ? undefined : from}
        addressOf={(list) => addressOf(listOf(list.filters), list._id)}
      />
    ),
  };
}
