import { useLocation, useNavigate, useSearchParams } from 'react-router';

/** The user whose details are open, kept in the address so that reload, Back and a copied link work. */
export function useOpenUser() {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation() as { state: { isOpenedHere?: boolean } | null };
  const navigate = useNavigate();
  const id = params.get('user');

  function change(edit: (next: URLSearchParams) => void, replace: boolean, isOpenedHere: boolean) {
    const next = new URLSearchParams(params);
    edit(next);
    setParams(next, { replace, state: { isOwn: true, isOpenedHere } });
  }

  return {
    id,
    isEditing: params.get('edit') === 'true',
    open: (userId: string) => change((next) => next.set('user', userId), false, true),
    edit: (isEditing: boolean) =>
      change(
        (next) => (isEditing ? next.set('edit', 'true') : next.delete('edit')),
        true,
        state?.isOpenedHere === true,
      ),
    close: () => {
      if (state?.isOpenedHere === true) void navigate(-1);
      else
        change(
          (next) => {
            next.delete('user');
            next.delete('edit');
          },
          true,
          false,
        );
    },
  };
}
