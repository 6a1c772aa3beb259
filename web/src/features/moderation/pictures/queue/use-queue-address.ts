import { useLocation, useNavigate, useSearchParams } from 'react-router';

const name = 'pictures';

/** Whether the queue of pictures is open, kept in the address so that reload, Back and a copied link work. */
export function useQueueAddress() {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation() as { state: { isOpenedHere?: boolean } | null };
  const navigate = useNavigate();

  function open() {
    const next = new URLSearchParams(params);
    next.set(name, 'pending');
    setParams(next, { state: { isOwn: true, isOpenedHere: true } });
  }

  function close() {
    if (state?.isOpenedHere === true) return void navigate(-1);
    const next = new URLSearchParams(params);
    next.delete(name);
    setParams(next, { replace: true, state: { isOwn: true } });
  }

  return { isOpen: params.get(name) === 'pending', open, close };
}
