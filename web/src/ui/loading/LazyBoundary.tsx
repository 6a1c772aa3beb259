import { Component, type ReactNode, Suspense } from 'react';
import { UnfetchedPart } from '../feedback/Unfetched.tsx';

interface LazyBoundaryProps {
  /** Shown until the code has been fetched. */
  fallback?: ReactNode;
  /** Closes the dialog that failed to load, so that it can be opened again. */
  onClose?: () => void;
  children: ReactNode;
}

/**
 * Wraps parts whose code is fetched when they are shown. If one can't be fetched, the rest of the page stays and a
 * message is shown in its place.
 */
export class LazyBoundary extends Component<LazyBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  close = () => {
    this.setState({ hasFailed: false });
    this.props.onClose?.();
  };

  override render() {
    const { fallback, onClose, children } = this.props;
    if (this.state.hasFailed) return <UnfetchedPart onClose={onClose && this.close} />;
    return <Suspense fallback={fallback}>{children}</Suspense>;
  }
}
