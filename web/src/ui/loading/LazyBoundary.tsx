import { Component, type ReactNode, Suspense } from 'react';
import { UnfetchedPart } from '../feedback/Unfetched.tsx';

interface LazyBoundaryProps {
  /** Shown until the code has been fetched. */
  fallback?: ReactNode;
  /** Closes the dialog below, so that it can be opened again. */
  onClose?: () => void;
  children: ReactNode;
}

/** Around parts whose code is fetched when they are shown: if one fails, the rest of the page stays and says so. */
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
