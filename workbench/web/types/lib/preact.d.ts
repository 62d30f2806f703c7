// What bundle.mjs offers of preact, as far as `make lint` has to know it: results of components are no values of ours.
export type Reference<T> = { current: T };
export class Component<P = any, S = any> {
    constructor(props?: P);
    props: P;
    state: S;
    setState(state: Partial<S>): void;
    render(props: P, state: S): any;
}
export const Fragment: any;
export function createContext<T>(value: T): any;
export function createRef<T = any>(): Reference<T>;
export function h(...all: any[]): any;
export function html(texts: TemplateStringsArray, ...values: any[]): any;
export function render(what: any, where: Element): void;
export function useCallback<F extends (...all: any[]) => any>(function_: F, depends: any[]): F;
export function useContext(context: any): any;
export function useEffect(effect: () => any, depends?: any[]): void;
export function useId(): string;
export function useLayoutEffect(effect: () => any, depends?: any[]): void;
export function useMemo<T>(make: () => T, depends: any[]): T;
export function useReducer<S>(step: (state: S, action: any) => S, first: S): [S, (action: any) => void];
export function useRef(value?: any): Reference<any>;
export function useState<T = any>(first?: T | (() => T)): [any, (next: any) => void];
