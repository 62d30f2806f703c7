// graph_worker.js: lays a flow graph out, off the page's thread. In: { nodes: [{ id, width, height }], edges: [{ from, to }], direction }.
// Out: the same with x, y (middles) and points, and the size of all. Of flow graphs, back edges are not given: they would turn the picture
// round. direction: "LR" for from left to right; default: down.
import dagre from "../lib/dagre.js";

onmessage = ({ data: { nodes, edges, direction = "TB" } }) => {
    const started = performance.now();
    const graph = new dagre.graphlib.Graph({ multigraph: true });
    graph.setGraph({ rankdir: direction, nodesep: direction === "TB" ? 26 : 14, ranksep: direction === "TB" ? 38 : 70, marginx: 8, marginy: 8 });
    graph.setDefaultEdgeLabel(() => ({}));
    for (const { id, width, height } of nodes) graph.setNode(id, { width, height });
    edges.forEach(({ from, to }, index) => graph.setEdge(from, to, {}, String(index)));
    dagre.layout(graph);
    const { width, height } = graph.graph();
    postMessage({
        nodes: nodes.map((node) => ({ ...node, x: graph.node(node.id).x, y: graph.node(node.id).y })),
        edges: edges.map((edge, index) => ({ ...edge, points: graph.edge({ v: edge.from, w: edge.to, name: String(index) }).points })),
        width,
        height,
        milliseconds: performance.now() - started,
    });
};
